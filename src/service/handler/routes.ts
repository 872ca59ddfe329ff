export type RouteName = "decide" | "models" | "openapi";

export interface Route {
  readonly name: RouteName;
  readonly method: "GET" | "POST";
  /** Whether it is a path of the hosted service, whose clients expect other statuses and headers. */
  readonly vendor: boolean;
}

const ROUTES: ReadonlyMap<string, Route> = new Map([
  ["/decision/v1/model", { name: "decide", method: "POST", vendor: false }],
  ["/v1/systemone", { name: "decide", method: "POST", vendor: true }],
  ["/decision/v1/models", { name: "models", method: "GET", vendor: false }],
  ["/v1/models", { name: "models", method: "GET", vendor: true }],
  ["/openapi.json", { name: "openapi", method: "GET", vendor: false }],
]);

/** The route of a URL under `basePath` (for example `/ai`; `""` for the root); undefined for any other URL. */
export function routeOf(url: string, basePath: string): Route | undefined {
  const { pathname } = new URL(url);
  return pathname.startsWith(basePath) ? ROUTES.get(pathname.slice(basePath.length)) : undefined;
}
