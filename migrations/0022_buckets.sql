-- The buckets, a row each, for statements that take something from each of them.

-- A sharded Postgres keeps each row beside the rows of its bucket. So a statement that joins this
-- table reads each bucket where it is, which no function that returns numbers achieves.
create table buckets (
    bucket smallint not null check (bucket between 0 and 63),
    primary key (bucket)
);

insert into buckets (bucket) select generate_series(0, 63);

-- When a match was reduced. Where several Postgres each number their own transactions, processes
-- read what was reduced of late.
alter table kept_results add column reduce_time timestamptz not null default now();
