-- An erasure locks rows of one bucket at a time, as a sharded Postgres demands.

do $$
declare
    definition text := pg_get_functiondef('erase_player_in_record(text, text)'::regprocedure);
    changed    text;
begin
    changed := replace(
        definition,
        'perform 1 from checkpoints where model = ''players'' order by bucket, generation for update;',
        'for its_number in 0 .. 63 loop
        perform 1
        from checkpoints
        where bucket = its_number::smallint and model = ''players''
        order by generation
        for update;
    end loop;'
    );
    changed := replace(
        changed,
        '''select from %I.leagues where platform = $1 order by game for update'', its_schema)
                using of_platform;',
        '''select 1 from %I.leagues where bucket = $2 and platform = $1 order by game for update'', its_schema)
                using of_platform, its_bucket;'
    );
    assert position('its_number' in changed) > 0 and position('bucket = $2 and platform = $1 order by game' in changed) > 0;
    execute changed;
end
$$;
