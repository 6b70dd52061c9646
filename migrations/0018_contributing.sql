-- Contributions of players who leave at the same time.

-- Adds what a player contributes from a seat that the player has, unless the seat has contributed.
-- Returns what the seat has contributed then; null if the player does not have the seat.
--
-- A player who leaves locks the match's row against everyone who shares it. The first statement
-- shares it, and the second one sees who has left by then: so either the contribution goes with the
-- seat, or there is no seat to contribute from.
create function contribute_to_match(
    its_match_id     uuid,
    its_seat         smallint,
    its_player       text,
    its_contribution bytea
) returns bytea
    language sql volatile strict security definer
    set search_path = pg_catalog, pg_temp
begin atomic
    select
    from matches as m
    where m.bucket = bucket_of(its_match_id) and m.match_id = its_match_id
    for key share;

    insert into contributions (bucket, match_id, seat, contribution)
    select bucket, match_id, seat, its_contribution
    from seats
    where bucket = bucket_of(its_match_id)
        and match_id = its_match_id
        and seat = its_seat
        and player = its_player
    on conflict do nothing;

    select its.contribution
    from contributions as its
    join seats using (bucket, match_id, seat)
    where its.bucket = bucket_of(its_match_id)
        and its.match_id = its_match_id
        and its.seat = its_seat
        and seats.player = its_player;
end;

revoke all on function contribute_to_match(uuid, smallint, text, bytea) from public;
