// How the page's script is linted where eslint is at hand: faults only, no matters of layout.
const browser = Object.fromEntries(
  ["AbortController", "AbortSignal", "Blob", "CSS", "CustomEvent", "DOMPoint", "Event", "EventSource", "EventTarget", "Image", "ResizeObserver",
    "TextDecoderStream", "URL", "URLSearchParams", "XMLSerializer", "addEventListener", "atob", "btoa", "clearTimeout", "confirm",
    "console", "crypto", "dispatchEvent", "document", "fetch", "history", "localStorage", "location", "matchMedia", "navigator", "performance",
    "print", "requestAnimationFrame", "requestIdleCallback", "sessionStorage", "setInterval", "setTimeout",
    "CompressionStream", "DecompressionStream", "Response", "TextDecoder", "TextEncoder"].map((name) => [name, "readonly"]),
);

export default [
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: browser },
    rules: {
      "no-undef": "error", "no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }], "no-shadow-restricted-names": "error",
      "prefer-const": "error", "no-var": "error", eqeqeq: "error", "no-self-compare": "error", "no-unreachable": "error",
      "no-constant-condition": ["error", { checkLoops: false }], "no-dupe-keys": "error", "no-fallthrough": "error",
      "no-implicit-globals": "error", "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
    },
  },
];
