import { counted } from './common';
import { translated } from './translated';

/** Texts of the roles page. */
const english = {
  title: 'Roles',
  intro:
    'Five roles are built in. Create your own from the same permissions. You can grant only permissions that you have.',
  create: 'Create role',
  newTitle: 'New role',
  custom: 'Custom roles',
  permissions: (granted: number) => counted(granted, 'permission'),
  matrix: 'Permissions by role',
  permission: 'Permission',
  description: 'Description',
  deleteTitle: 'Delete the role?',
  deleteBody: 'You can delete {name} once no user has this role.',
} as const;

export const messages = translated('roles', english);
