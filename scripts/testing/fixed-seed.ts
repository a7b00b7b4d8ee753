import fc from "fast-check";

/**
 * `npm test` always tries the same values, so that it never fails by chance; `npm run test:full` tries new
 * ones.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20261122 });
