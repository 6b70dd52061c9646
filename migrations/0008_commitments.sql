-- Whether the seats contributed to the chance of their match after the service had committed itself
-- to the seed. Only then is it certain that the service did not choose the seed to suit what they
-- contributed.

-- True if the commitment could be read before: the seat contributed after the match was created, or
-- the request that created it named the commitment. False where nothing shows it.
alter table contributions add column after_commitment boolean not null default false;

-- Whether all contributions came after the commitment; null for a match without contributions.
alter table match_summaries add column after_commitment boolean;
-- A rebuild may be on its way.
alter table if exists rebuilding.match_summaries add column after_commitment boolean;

-- As in `0003_matches.sql`. The commitment of a match can be read as soon as the match exists.
create or replace function contribute_to_match(
    its_match_id uuid, its_seat smallint, its_player text, its_contribution bytea
) returns bytea
    language plpgsql volatile strict security definer
as $$
declare
    its_bucket smallint := bucket_of(its_match_id);
    recorded   bytea;
begin
    perform 1 from matches where bucket = its_bucket and match_id = its_match_id for key share;

    insert into contributions (bucket, match_id, seat, contribution, after_commitment)
    select bucket, match_id, seat, its_contribution, true
    from seats
    where bucket = its_bucket
        and match_id = its_match_id
        and seat = its_seat
        and player = its_player
    on conflict do nothing;

    select its.contribution
    into recorded
    from contributions as its
    join seats using (bucket, match_id, seat)
    where its.bucket = its_bucket
        and its.match_id = its_match_id
        and its.seat = its_seat
        and seats.player = its_player;
    return recorded;
end
$$;

-- As in `0007_erasing.sql`: a caller's own search path must not decide which tables are meant.
do $$
begin
    execute format(
        'alter function contribute_to_match(uuid, smallint, text, bytea) set search_path = %I, pg_temp',
        current_schema()
    );
end
$$;
