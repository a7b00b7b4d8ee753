/** One text of each format that a person meets in records; others need a fixture by hand. */
const SAMPLES: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  time: "12:30:00Z",
  "date-time": "2026-01-31T12:30:00Z",
  email: "someone@example.org",
  hostname: "example.org",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.org/",
  "uri-reference": "/path",
  uuid: "6f1c0d1e-4b3a-4c2d-8e9f-0a1b2c3d4e5f",
  "json-pointer": "/field",
};

/** A text of the format; "" for one that is not known here. */
export function sampleFormat(format: string): string {
  return SAMPLES[format] ?? "";
}
