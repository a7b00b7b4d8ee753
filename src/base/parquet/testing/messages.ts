/** What is to be done stands behind the last colon of every message about a file that cannot be read. */
export const ADVICE =
  /: (?:copy the file again, or write it again|write it with another compression or encoding|leave it out(?:, or write it as text)?|decrypt (?:it|the file) first|write them into one)$/;

/** What JavaScript and the libraries say of damage, which helps nobody who has the file. */
export const FOREIGN =
  /undefined|of null|BigInt|DataView|typed array|not a function|must be an instance|destructure|thrift|External|argument error|EOF:|stripped/i;
