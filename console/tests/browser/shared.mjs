// One Chromium, and one service for all journeys. Those that change what others see start their own.
import { after, before } from 'node:test';
import { launch, quit } from './support/browser.mjs';
import { seed } from './support/seed.mjs';
import { start, stopAll } from './support/service.mjs';

export const shared = {};

before(async () => {
  await launch();
  shared.service = await start();
  shared.url = shared.service.url;
  Object.assign(shared, await seed(shared.url));
});

after(async () => {
  await quit();
  await stopAll();
});
