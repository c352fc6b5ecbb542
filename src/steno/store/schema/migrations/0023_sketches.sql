-- Why: a model reads a hundred turns a second, so a history of years waited a day for its vectors. A sketch, made from words
-- alone, stands in until then. What there is was all made by the model.

ALTER TABLE vectors ADD COLUMN sketch INTEGER NOT NULL DEFAULT 0;
CREATE INDEX vectors_sketched ON vectors (turn_id) WHERE sketch = 1;
