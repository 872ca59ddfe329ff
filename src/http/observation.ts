import type { Served } from "./observe.ts";

/** What has become known of a request on its way, for whoever observes it. */
export type Observation = { readonly requestId: string } & {
  -readonly [Field in "code" | "cause" | "key" | "model" | "usage" | "nanocredits" | "queuedMs"]?: Served[Field];
};
