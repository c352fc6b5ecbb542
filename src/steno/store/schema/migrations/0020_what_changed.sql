-- Why: a new day folds what changed and what fades, not everything there ever was.

-- What fades, and what is in a list, is found without looking at all there were.
CREATE INDEX rules_by_score ON rules (score) WHERE merged_into IS NULL;

CREATE INDEX runs_by_time ON runs (began);
CREATE INDEX runs_under_way ON runs (id) WHERE state = 'running';
CREATE INDEX links_by_time ON links (kind, at);
CREATE INDEX integrations_by_time ON integrations (at);

-- Whoever changes what a fold comes to deletes this, as here: then all rules are folded anew, once.
DELETE FROM meta WHERE name = 'rules_folded';
