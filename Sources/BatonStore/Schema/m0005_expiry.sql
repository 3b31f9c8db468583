-- What has expired is left out where two nodes compare what they hold, and is swept.

-- The sum in `progress.digest` is over the records that have not expired at this time, in milliseconds since 1970;
-- NULL where it is over all.
ALTER TABLE progress ADD COLUMN digest_time INTEGER;

-- What had expired at this time was swept, or is being swept; NULL where nothing was.
ALTER TABLE progress ADD COLUMN swept INTEGER;
