// One service for all tests of a file.
import { before } from 'node:test';
import { seed } from './support/seed.mjs';
import { start } from './support/service.mjs';

export const shared = {};

before(async () => {
  shared.service = await start();
  shared.url = shared.service.url;
  Object.assign(shared, await seed(shared.url));
});
