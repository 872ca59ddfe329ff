import type { Experimental_DecisionModelV4CallOptions as CallOptions, SharedV4Warning } from "@ai-sdk/provider";

/** One warning for each setting of the call that has no effect. */
export function warningsOf({ maxOutputTokens, reasoning, headers = {}, providerOptions = {} }: CallOptions): SharedV4Warning[] {
  const ignored = (feature: string, details: string): SharedV4Warning => ({ type: "unsupported", feature, details });
  const warnings: SharedV4Warning[] = [];
  if (maxOutputTokens !== undefined) warnings.push(ignored("maxOutputTokens", "Umpire generates no text."));
  if (reasoning !== undefined && reasoning !== "none" && reasoning !== "provider-default") {
    warnings.push(ignored("reasoning", "Umpire does not reason."));
  }
  // The AI SDK itself sends a user agent with every call.
  if (Object.keys(headers).some((name) => name.toLowerCase() !== "user-agent")) {
    warnings.push(ignored("headers", "Umpire answers on this machine and sends no headers."));
  }
  const others = Object.keys(providerOptions["umpire"] ?? {}).filter((option) => option !== "maxErrorRate");
  return [
    ...warnings,
    ...others.map((option) => ignored(`providerOptions.umpire.${option}`, "Umpire's only option per call is maxErrorRate.")),
  ];
}
