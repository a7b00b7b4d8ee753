import fc from "fast-check";

/**
 * `npm test` and `npm run test:full` always try the same values, so that they never fail by chance;
 * `npm run test:nightly` tries new ones.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20261122 });
