-- The receipts that the service has signed: one digest for an entry in a term. A record that is
-- changed later is refused a second receipt, with which the service would contradict itself. A row
-- is written before its receipt is told, and never changes.
--
-- After the database went back, another entry may be at the position: that is another term, which
-- receipts name.
create table signed_receipts (
    bucket   smallint not null check (bucket = bucket_of(match_id)),
    match_id uuid     not null,
    position int8     not null check (position > 0),
    -- The term of the installation in which it was signed.
    term     int8     not null,
    digest   bytea    not null check (octet_length(digest) = 32),
    primary key (bucket, match_id, position, term),
    foreign key (bucket, match_id) references matches
);
comment on table signed_receipts is 'by bucket; select, insert';
