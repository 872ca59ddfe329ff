export function otherPackagesIn(script: string): Promise<string[]>;
