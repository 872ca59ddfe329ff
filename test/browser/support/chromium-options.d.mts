export function chromiumPath(): string;
export function flags(webgpu: boolean): string[];
