-- Where the objects of archived matches are. `croupier archive` writes it before it empties the
-- first row, and every process reads it that was given no other place with `--archive`: also one
-- that was started before there was an archive.
create table archive_place (
    bucket smallint not null default 0 check (bucket = 0),
    -- As `croupier archive --to` had it. Credentials are never a part of it.
    url    text     not null check (url <> ''),
    primary key (bucket)
);
comment on table archive_place is 'everywhere; select';
