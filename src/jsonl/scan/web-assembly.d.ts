/** What is used of WebAssembly's JavaScript API (https://www.w3.org/TR/wasm-js-api-2/); else only TypeScript's DOM knows it. */
declare namespace WebAssembly {
  class Module {
    constructor(code: Uint8Array);
  }
  class Instance {
    constructor(module: Module);
    readonly exports: object;
  }
}
