-- Subscriptions that are told of tagged matches alone: of those that have all of these tags as their entries are read, by key.
alter table subscriptions add column tags jsonb not null default '{}' check (jsonb_typeof(tags) = 'object');
