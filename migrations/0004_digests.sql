-- Digests: what makes a record that went back, or was altered, show itself.

-- The digest of an entry: a hash of the entry and of the digest before it in its match, keyed with
-- a secret that follows from the match's seed; `services/store/src/digest.rs` has the exact bytes.
-- It is null in rows of releases that knew no digests; what it would be follows from the other
-- columns and from the seed.
--
-- A writer inserts only if the last entry of each bucket it writes to is still the one it knows, by
-- position and digest. So a database that has gone back (a failover to a standby that lacked the
-- last commits, a restore to an earlier moment) is noticed before anything is added to it.
alter table entries add column digest bytea;

-- `not valid` spares the rows that are there: they have none.
alter table entries add constraint entries_digest_check check (octet_length(digest) = 32) not valid;

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
