-- Whether the leaves of a log have a pseudonym of the match's platform. It is computed from the
-- log's secret, so it is the same in all leaves of the log and says nothing in another one.
-- Operators decide when they begin a log, since it shows how many matches each platform has.
alter table transparency_logs add column tells_platforms boolean not null default false;
