/** Where capture says what happens to records; every runtime's logger has these three. */
export interface CaptureLogger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
