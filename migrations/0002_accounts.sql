-- Accounts: the installation, the platforms that call it, and what lets them.
--
-- Nothing here is part of the record. Every process keeps in memory what it needs to check
-- credentials, and reads every few seconds what has changed: the rows whose transaction was not
-- over at its last read (`changed_in`). So it misses none, however late a transaction commits, and
-- needs no clock.

-- The identity of this installation. Cursors carry it, so that a cursor of another installation is
-- refused.
create table installation (
    bucket          smallint not null default 0 check (bucket = 0),
    installation_id uuid     not null,
    primary key (bucket)
);
comment on table installation is 'everywhere; select';

insert into installation (installation_id) values (gen_random_uuid());

-- A platform is a customer of the service: a site, a bot or an app with players of its own. Its
-- bucket is the last byte of the BLAKE3 hash of its name, modulo 64. Postgres has no BLAKE3, so
-- this bucket alone is not checked.
create table platforms (
    bucket       smallint    not null check (bucket between 0 and 63),
    platform     text        not null check (platform <> ''),
    create_time  timestamptz not null,
    -- While it is set, the platform's keys and tokens are refused.
    suspend_time timestamptz,
    primary key (bucket, platform)
);
comment on table platforms is 'everywhere; select, insert';

create index platforms_suspended on platforms (platform) where suspend_time is not null;

-- A platform's API keys. A key has 256 random bits, so a plain hash of it cannot be reversed. Only
-- the hash is stored: reading this table does not allow anyone to forge a key.
create table platform_keys (
    bucket      smallint    not null,
    platform    text        not null,
    -- The public prefix of the key, which finds this row.
    key_id      text        not null check (key_id <> ''),
    hash        bytea       not null check (octet_length(hash) = 32),
    create_time timestamptz not null,
    revoke_time timestamptz,
    -- The transaction that created or revoked the key.
    changed_in  xid8        not null default pg_current_xact_id(),
    primary key (bucket, platform, key_id),
    foreign key (bucket, platform) references platforms
);
comment on table platform_keys is 'everywhere; select, insert';

create index platform_keys_changed on platform_keys (changed_in);
create index platform_keys_revoked on platform_keys (revoke_time) where revoke_time is not null;

-- What a platform may use of what all platforms share. An operator sets a limit here to replace the
-- service's default; running processes read it within seconds.
create table platform_limits (
    -- The platform's.
    bucket                smallint not null,
    platform              text     not null,
    -- Null is the service's default, which may change from release to release.
    calls_per_s           int      check (calls_per_s > 0),
    actions_per_s         int      check (actions_per_s > 0),
    actions_max           int      check (actions_max > 0),
    matches_per_s         int      check (matches_per_s > 0),
    watches_max           int      check (watches_max > 0),
    streams_max           int      check (streams_max > 0),
    subscriptions_max     int      check (subscriptions_max > 0),
    consumers_max         int      check (consumers_max > 0),
    seat_calls_per_s      int      check (seat_calls_per_s > 0),
    seat_actions_per_s    int      check (seat_actions_per_s > 0),
    seat_streams_max      int      check (seat_streams_max > 0),
    seat_entries_max      int      check (seat_entries_max > 0),
    primary key (bucket, platform),
    foreign key (bucket, platform) references platforms
);
comment on table platform_limits is 'everywhere; select';

-- The secrets that sign seat and spectator tokens. The process that needs the first one writes it;
-- the key lets only one process succeed, and the others use what they find. The newest secret
-- signs, and all of them verify.
create table token_keys (
    -- One set for the installation, in bucket 0.
    bucket      smallint    not null default 0 check (bucket = 0),
    key_id      smallint    not null check (key_id > 0),
    secret      bytea       not null check (octet_length(secret) = 32),
    create_time timestamptz not null,
    -- Since when tokens that this key signed are refused. Without it, a key that another has
    -- replaced verifies tokens until those it signed have expired.
    drop_time   timestamptz,
    primary key (bucket, key_id)
);
comment on table token_keys is 'everywhere; select, insert';

-- Revocations of the tokens of players. A token carries the number that was current when it was
-- minted, and is refused as soon as there is a greater one. Unlike those of `token_revocations`, a
-- row goes once every token that it refuses has expired, so that nothing tells for long that
-- somebody played here who was erased since. So numbers cannot be counted: they are the database's
-- time in microseconds, or one more than the last if that is later.
create table player_revocations (
    -- The platform's.
    bucket      smallint    not null check (bucket between 0 and 63),
    platform    text        not null,
    -- A hash of the platform and the player's id.
    player_hash bytea       not null check (octet_length(player_hash) = 32),
    number      int8        not null check (number > 0),
    -- Whether the tokens are refused because the player was erased.
    is_erasure  boolean     not null default false,
    create_time timestamptz not null default now(),
    changed_in  xid8        not null default pg_current_xact_id(),
    primary key (bucket, platform, player_hash, number),
    foreign key (bucket, platform) references platforms
);
comment on table player_revocations is 'everywhere; select, insert, delete';

create index player_revocations_changed on player_revocations (changed_in);
create index player_revocations_past on player_revocations (create_time);

-- The codes to sign in with that nobody has used yet: whoever has one may exchange it, until it
-- expires, for the token of a session. The statement that exchanges a code deletes its row, so of
-- several at the same time one succeeds. A code has 128 random bits and lives for minutes, so a
-- plain hash of it cannot be reversed.
create table sign_ins (
    -- The hash's, since a code does not name its platform.
    bucket      smallint    not null check (bucket = get_byte(hash, 31) % 64),
    hash        bytea       not null check (octet_length(hash) = 32),
    platform    text        not null,
    -- The API key that made the code. The session ends with it.
    key_id      text        not null,
    expire_time timestamptz not null,
    primary key (bucket, hash)
);
comment on table sign_ins is 'by bucket; select, insert, delete';

-- Finds the codes that nobody used in time.
create index sign_ins_past on sign_ins (expire_time);

-- The keys that sign receipts, as PKCS #8 of Ed25519. The newest one signs; the public halves of
-- all are published, so that old receipts can be verified.
create table receipt_keys (
    -- One set for the installation, in bucket 0.
    bucket      smallint    not null default 0 check (bucket = 0),
    key_id      smallint    not null check (key_id > 0),
    secret      bytea       not null,
    create_time timestamptz not null,
    primary key (bucket, key_id)
);
comment on table receipt_keys is 'everywhere; select, insert';

-- The secret from which the service derives the seed of a match that is to be created with a
-- commitment told beforehand. It is written once, by the process that needs it first: another one
-- would break the commitments that were told.
create table seed_keys (
    bucket      smallint    not null default 0 check (bucket = 0),
    secret      bytea       not null check (octet_length(secret) = 32),
    create_time timestamptz not null default now(),
    primary key (bucket)
);
comment on table seed_keys is 'everywhere; select, insert';

-- Erasures of players. The row is written first: from then on the erasure is a promise, which any
-- process keeps, whatever happens to the one that gave it. All else is one transaction, which also
-- takes the player's id out of this row: `erase_player` in `0007_erasing.sql`.
create table erasures (
    -- The platform's.
    bucket      smallint    not null check (bucket between 0 and 63),
    platform    text        not null,
    -- Random, the same everywhere, and in place of the player's id from now on.
    pseudonym   text        not null check (pseudonym like 'erased-%'),
    -- Whom to erase; null once that is done.
    player      text,
    create_time timestamptz not null default now(),
    -- The transaction that wrote the row last: processes read what has changed.
    changed_in  xid8        not null default pg_current_xact_id(),
    primary key (bucket, platform, pseudonym),
    foreign key (bucket, platform) references platforms
);
comment on table erasures is 'everywhere; select, insert';

-- An erasure that is asked for again while it is under way is the same one.
create unique index erasures_under_way on erasures (bucket, platform, player)
    where player is not null;

create index erasures_changed on erasures (changed_in);
