/** A size for people, in decimal units as disks are sold: `23 MB`, `1.4 GB`. */
export function bytesText(sizeBytes: number): string {
  if (sizeBytes < 1e3) return `${sizeBytes} B`;
  if (sizeBytes < 1e6) return `${Math.round(sizeBytes / 1e3)} kB`;
  // Rounded up to 1000 MB, it would be a GB.
  return sizeBytes < 999.5e6 ? `${Math.round(sizeBytes / 1e6)} MB` : `${(sizeBytes / 1e9).toFixed(1)} GB`;
}
