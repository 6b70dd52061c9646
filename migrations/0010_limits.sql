-- Limits of spectators' tokens.

alter table platform_limits
    add column spectator_calls_per_s int,
    add column spectator_streams_max int;

alter table platform_limits
    add constraint platform_limits_spectator_calls_per_s_check check (spectator_calls_per_s > 0),
    add constraint platform_limits_spectator_streams_max_check check (spectator_streams_max > 0);
