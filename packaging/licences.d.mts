export interface Licence {
  /** As SPDX lists it. */
  readonly id: string;
  readonly text: string;
  /** Licences of the parts inside it, as its makers publish them. */
  readonly notices?: string;
}

export function licenceOf(part: { folder: string; name: string; version: string; license: unknown }): Promise<Licence>;
