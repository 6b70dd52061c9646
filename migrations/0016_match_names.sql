-- What platforms call their matches.

-- The name of a match that has one. Like a tag it is not part of the record of what happened: it
-- may be changed and removed at any time, and the last writer wins. It stands apart from `matches`,
-- whose rows are written once.
create table match_names (
    bucket       smallint not null check (bucket = bucket_of(match_id)),
    match_id     uuid     not null,
    -- A line of plain text, for everyone who sees the match.
    display_name text     not null check (display_name <> ''),
    primary key (bucket, match_id),
    -- The function that deletes a match is older than this table.
    foreign key (bucket, match_id) references matches on delete cascade
);
comment on table match_names is 'by bucket; select, insert, update, delete';
