-- How every guardrail that ran stood, [["name",confidence,threshold],…], and what the stages took, [["stage",ms],…].
ALTER TABLE logs ADD COLUMN confidences TEXT NOT NULL DEFAULT '[]';
ALTER TABLE logs ADD COLUMN timing TEXT NOT NULL DEFAULT '[]';
-- The text as it was sent, sealed for its row, where the project keeps it so.
ALTER TABLE logs ADD COLUMN sealed_text BLOB;
-- What people say of the decision: false_positive or missed_attack.
ALTER TABLE logs ADD COLUMN mark TEXT;
ALTER TABLE logs ADD COLUMN mark_note TEXT;
CREATE INDEX logs_by_mark ON logs (org_id, mark, id) WHERE mark IS NOT NULL;
-- The outcomes that no decision stands for.
CREATE INDEX logs_by_outcome ON logs (org_id, outcome, id) WHERE outcome IN ('would_block', 'not_judged');
