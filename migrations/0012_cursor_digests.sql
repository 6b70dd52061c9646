-- Which entry a subscription's cursor stands behind. After the database went back, another entry
-- may be at the position that was acknowledged: then the cursor continues where the histories part,
-- and its consumer is told which entries are void.

alter table subscription_cursors
    -- The term of the cursor that was acknowledged last; 0 if it is not known. A cursor of a later
    -- term moves the position back, too: its consumer was told what is void.
    add column term            int8 not null default 0,
    -- The digest of the entry at a position. It is of the acknowledged entry only while both
    -- positions are the same: a release that knew no digests moves only `acknowledged`.
    add column digest_position int8,
    add column digest          bytea;
