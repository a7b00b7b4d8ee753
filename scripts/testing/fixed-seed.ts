import fc from "fast-check";

/** `npm test` tries the same values each time, so that it is red for a fault alone; `npm run test:full` draws its own. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20261122 });
