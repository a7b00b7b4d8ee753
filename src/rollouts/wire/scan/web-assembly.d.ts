/**
 * The part of WebAssembly's JavaScript API (https://www.w3.org/TR/wasm-js-api-2/) that is used here. TypeScript
 * declares it only in its DOM library.
 */
declare namespace WebAssembly {
  class Module {
    constructor(code: Uint8Array);
  }
  class Instance {
    constructor(module: Module);
    readonly exports: object;
  }
}
