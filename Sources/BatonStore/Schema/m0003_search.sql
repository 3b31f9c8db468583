-- The words of the items that can be seen, by where they stand, from what counts most to what counts least; a row has
-- the number of its record. Of the texts it holds nothing but the words: whoever removes a row says once more what
-- was in it. The tokenizer is one of this program.
CREATE VIRTUAL TABLE search USING fts5(
    title, names, keywords, description, body,
    content = '', tokenize = 'baton', prefix = '2'
);

-- One row: how the table of words was made, and how far.
CREATE TABLE search_progress (
    only    INTEGER PRIMARY KEY CHECK (only = 1),
    -- Stands for the rules by which words are made; where this program has others, the table is made anew.
    rules   INTEGER NOT NULL,
    -- Records up to this number stand in it as far as they should; NULL if all do.
    through INTEGER
) STRICT;
INSERT INTO search_progress (only, rules, through) VALUES (1, 0, 0);
