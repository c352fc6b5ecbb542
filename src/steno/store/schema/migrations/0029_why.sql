-- Why: what an agent was told, asked or let do, and what recall found, could only be explained by computing it again, from
-- a store that had changed since. What decided is kept beside the answer now. NULL for old rows: nobody noted it.

-- JSON: names of things, each with a fixed phrase of ours that says why it was told, counted, or neither. No words of anybody.
ALTER TABLE receipts ADD COLUMN because TEXT;

-- The tool a gate was asked about, and the host's id of the call.
ALTER TABLE receipts ADD COLUMN tool TEXT;

ALTER TABLE receipts ADD COLUMN call TEXT;

-- Which place a hit had in its answer, and what placed it there, in our words and numbers.
ALTER TABLE uses ADD COLUMN place INTEGER;

ALTER TABLE uses ADD COLUMN reason TEXT;
