-- When a browser is not to be told of turns, by the clock of its player: from one minute of the day
-- to another one, in a time zone of the IANA. Turns stay in the queue meanwhile.
alter table push_subscriptions
    add column quiet_zone text,
    add column quiet_start smallint,
    add column quiet_end smallint,
    -- The end of the quiet hours in which turns came; nothing is sent before. Time zones are rules
    -- of programs, so the process that finds turns due computes it.
    add column quiet_until timestamptz;
alter table push_subscriptions
    add constraint push_subscriptions_quiet
    check (num_nulls(quiet_zone, quiet_start, quiet_end) in (0, 3));
