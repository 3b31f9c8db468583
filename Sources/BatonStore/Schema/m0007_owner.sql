-- Each database says which lane it holds, and of which device, so that no other one is taken for it.

-- NULL until it is first opened by a version that asks, or by someone who knows the device.
ALTER TABLE account ADD COLUMN lane INTEGER;
ALTER TABLE account ADD COLUMN device BLOB;

-- A short form of the row of `account`. Every transaction writes this table, so it stands in every journal: a journal that
-- belongs to another database is noticed by it.
ALTER TABLE progress ADD COLUMN owner BLOB;
