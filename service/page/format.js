// Numbers and times for people.

export function whole(number) {
  return Math.round(number).toLocaleString("en");
}

// Three significant digits, more of large numbers: 0.00123, 12.3, 12,345.
export function short(number) {
  if (Math.abs(number) >= 1000) return whole(number);
  return String(Number(number.toPrecision(3)));
}

export function bytes(number) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  for (; Math.abs(number) >= 1024 && unit + 1 < units.length; ++unit) number /= 1024;
  return `${short(number)} ${units[unit]}`;
}

export function seconds(number) {
  if (number < 1) return `${short(number * 1000)} ms`;
  if (number < 120) return `${short(number)} s`;
  if (number < 7200) return `${short(number / 60)} min`;
  return number < 172800 ? `${short(number / 3600)} h` : `${short(number / 86400)} days`;
}

export function percent(share) {
  return `${short(share * 100)} %`;
}

export function similarity(number) {
  return number.toFixed(3);
}

export function moment(milliseconds) {
  return new Date(milliseconds).toISOString().replace("T", " ").replace(/\..*/, " UTC");
}

export function clock(milliseconds) {
  return new Date(milliseconds).toISOString().slice(11, 19);
}

// "1 copy", "2 copies".
export function counted(number, one, many = `${one}s`) {
  return `${whole(number)} ${number === 1 ? one : many}`;
}
