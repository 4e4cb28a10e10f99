-- Leads to the entries of a conversation. Most entries have none.
CREATE INDEX logs_by_conversation ON logs (org_id, conversation_id, id) WHERE conversation_id IS NOT NULL;
