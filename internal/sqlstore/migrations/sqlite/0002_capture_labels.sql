-- +goose Up
-- Captures are labelled as runs are, each edit made on a revision.
ALTER TABLE captures ADD COLUMN labels TEXT NOT NULL DEFAULT '{}';
ALTER TABLE captures ADD COLUMN revision BIGINT NOT NULL DEFAULT 1;
