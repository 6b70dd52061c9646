-- Signing in: codes that work once.

-- The codes that nobody has used yet: whoever has one may exchange it, until it expires, for the
-- token of a session. The statement that exchanges a code deletes its row, so of several at the
-- same time one succeeds. Neither part of the record nor derived from it. A code has 128 random
-- bits and lives for minutes, so a plain hash of it cannot be reversed.
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

-- Finds the codes that nobody used in time.
create index sign_ins_past on sign_ins (expire_time);
