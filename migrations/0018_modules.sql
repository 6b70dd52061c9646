-- The games that are modules.

-- A module: the rules of a game as one file of WebAssembly. It stays for as long as a match needs
-- it: the terms of a match name the module by its hash, so a match ends by the rules it began with.
-- Only an operator adds one, after its trial: the role that serves runs what is here.
create table modules (
    bucket       smallint    not null default 0 check (bucket = 0),
    -- Of the file, by BLAKE3.
    hash         bytea       not null check (octet_length(hash) = 32),
    -- What its description says.
    game         text        not null check (game <> ''),
    rules        int         not null check (rules > 0),
    file         bytea       not null check (octet_length(file) between 1 and 8388608),
    -- New matches of a game get the module that was added last.
    install_time timestamptz not null default now(),
    -- Since when it gets no new matches; null while it gets some.
    retire_time  timestamptz,
    primary key (bucket, hash)
);
comment on table modules is 'everywhere; select';
