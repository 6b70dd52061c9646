-- The terms of the installation. A term begins when the database may have lost entries: a standby
-- was promoted, a backup was restored, the tables were copied to another server, or entries that
-- were read before are gone. Whatever is told to clients names the term that it was told in.
--
-- A term is the Unix time in seconds at which it began, or one more than the term before it. So two
-- copies of a database never give one name to two terms, unless they begin in the same second.
-- Terms are only added. The second key decides between processes that notice at the same time.
create table installation_terms (
    bucket     smallint    not null default 0 check (bucket = 0),
    term       int8        not null check (term > previous),
    -- The term before it; 0 for the first one.
    previous   int8        not null check (previous >= 0),
    reason     text        not null check (reason <> ''),
    begin_time timestamptz not null default now(),
    -- By bucket of the log: up to this position, the record is known to be the same as in the term
    -- before. The largest number for buckets that lost nothing.
    shared     int8[]      not null check (cardinality(shared) = 64),
    -- Entries that were recorded before this time were not lost; null if that is not known.
    void_since timestamptz,
    primary key (bucket, term),
    unique (bucket, previous)
);

-- The states in which the servers of the database were seen. Postgres begins another timeline when
-- a standby is promoted and when an earlier moment is restored, and another cluster has another
-- identifier: a state that is not here begins a term.
create table database_servers (
    bucket            smallint not null default 0 check (bucket = 0),
    system_identifier int8     not null,
    timeline          int8     not null,
    -- The term in which it was first seen.
    term              int8     not null,
    primary key (bucket, system_identifier, timeline)
);

-- An installation begins with a term.
insert into installation_terms (term, previous, reason, shared)
select extract(epoch from now())::int8, 0, 'the installation began to count', array_fill(0::int8, array[64])
on conflict do nothing;

comment on table installation_terms is 'everywhere; select, insert';
comment on table database_servers is 'everywhere; select, insert';

-- The term of which an endpoint was told. If another one has begun since then, and since the
-- webhook was created, entries that the endpoint was sent may be void. It is told so before it is
-- sent anything else.
alter table webhooks add column told_term int8 not null default 0;

-- The id under which receipts name a key that a release made which did not know thumbprints.
-- Receipts of other keys name the key's thumbprint.
alter table receipt_keys add column former_id text;
update receipt_keys set former_id = key_id::text;
