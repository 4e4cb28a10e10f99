import { loadMessages } from '@/messages/translated';
import '@/styles.css';

// Modules read their texts once, while they are evaluated. Not awaited here, because the texts import from this chunk.
void loadMessages()
  .then(() => import('./app'))
  .then(({ show }) => show());
