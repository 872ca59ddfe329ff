import { AddingFailed } from "../adding-failed.ts";
import type { HubContext } from "./context.ts";
import { Interrupted } from "./tries.ts";

/** Statuses of a server that may do better the next time. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** What a status other than success means, and what to do about it. The hub's code of the error is in a header. */
export function refusalOf({ status, headers }: Response, fromHub: boolean, context: HubContext): AddingFailed | Interrupted {
  const { model, settings } = context;
  const { host, endpoint, token } = settings;
  const page = `${endpoint}/${model}`;
  const code = headers.get("x-error-code") ?? "";
  if (PASSING.has(status)) {
    const seconds = Number(headers.get("retry-after") ?? 0);
    return new Interrupted(`${host} ${status === 429 ? "gets too many requests from here" : "does not work at the moment"} (${status}).`, {
      advice: "Run the command again later: what has been downloaded is kept.",
      ...(seconds > 0 && { pauseMs: 1000 * seconds }),
    });
  }
  if (!fromHub) {
    // Addresses of files on other servers are good for a while only, and the hub makes new ones.
    return new Interrupted(`The server that ${host} redirects to refuses the file (${status}).`, {
      advice: "Run the command again later.",
    });
  }
  if (code === "GatedRepo" || (status === 403 && code === "")) {
    const account =
      token === undefined ? "set HF_TOKEN to a token of your account there" : `see that the token from ${token.origin} may read it`;
    return new AddingFailed(
      `${host} gives ${model} only to people who accept its terms (${status}). Accept them on ${page}, and ${account}.`,
    );
  }
  if (code === "RevisionNotFound") {
    return new AddingFailed(`${model} has no such revision on ${host}. Give a branch, a tag or a commit that ${page}/tree/main lists.`);
  }
  if (code === "EntryNotFound") {
    return new AddingFailed(
      `${host} lists a file of ${model} that it does not have (${status}). Try another revision, or report it on ${page}.`,
    );
  }
  if (status === 401 && code === "" && token !== undefined) {
    return new AddingFailed(
      `${host} refuses the token from ${token.origin} (401). Make a new one in your account there, or unset it for a public model.`,
    );
  }
  if (status === 401 || status === 404) {
    const access =
      token === undefined ? "set HF_TOKEN to a token that may read it" : `the token from ${token.origin} must be one that may read it`;
    return new AddingFailed(`${host} has no model ${model}, or it is private (${status}). Check the name; for a private one ${access}.`);
  }
  return new AddingFailed(
    `${host} refuses the request (${status}). Check that HF_ENDPOINT is the address of a model hub, or try again later.`,
  );
}
