// @ts-check
/** Formats that need more than a pattern, with the verdicts of ajv-formats (RFC 3339, section 5.6). */

/**
 * Whether `text` is a full-date, such as 2024-02-29.
 * @param {string} text
 * @returns {boolean}
 */
export function isDate(text) {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  // The calendar repeats every 400 years. Day 0 of a month is the last of the one before.
  const last = new Date(Date.UTC((year % 400) + 2000, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= last;
}

/**
 * Whether `text` is a full-time, such as 23:59:60Z; a leap second must end a UTC day.
 * @param {string} text
 * @returns {boolean}
 */
export function isTime(text) {
  const match = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(?:z|([+-])(\d\d)(?::?(\d\d))?)$/i.exec(text);
  if (match === null) return false;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const sign = match[4] === "-" ? -1 : 1;
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (offsetHour > 23 || offsetMinute > 59) return false;
  if (hour <= 23 && minute <= 59 && second < 60) return true;
  const utcMinute = minute - offsetMinute * sign;
  const utcHour = hour - offsetHour * sign - (utcMinute < 0 ? 1 : 0);
  const endsHour = utcMinute === 59 || utcMinute === -1;
  return (utcHour === 23 || utcHour === -1) && endsHour && second < 61;
}

/**
 * Whether `text` is a date and a time, separated by one T or one white space.
 * @param {string} text
 * @returns {boolean}
 */
export function isDateTime(text) {
  const [date = "", time = "", ...more] = text.split(/t|\s/i);
  return more.length === 0 && isDate(date) && isTime(time);
}
