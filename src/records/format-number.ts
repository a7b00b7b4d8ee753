/** 2000 as `2,000`, in every locale; for whole numbers. `Intl`, which can do more, delays the start of every command. */
export function formatNumber(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
