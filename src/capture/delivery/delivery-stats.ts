/**
 * What has become of the records, in records where nothing else is said. At any time `pushed + recovered` is
 * `delivered + rejected + handedOver + dropped + queued + spooled`.
 */
export interface DeliveryStats {
  /**
   * `idle`: nothing waits. `sending`. `failing`: the last try failed, and another follows. `closed`.
   */
  readonly state: "idle" | "sending" | "failing" | "closed";
  /** Given to `push`. */
  readonly pushed: number;
  /** Of those that earlier processes left on disk: they have come to their end now. */
  readonly recovered: number;
  /** Taken over by the sink. */
  readonly delivered: number;
  /** Refused by the destination for good, or damaged, and kept in a rejects file. */
  readonly rejected: number;
  /**
   * Left to another process: those that came after the end, and those of a log that was taken over because
   * this process gave no sign of life.
   */
  readonly handedOver: number;
  /** Lost, whatever the reason: of these is always said why. */
  readonly dropped: number;
  /** Of those dropped: what JSON cannot hold at all, such as cycles. */
  readonly unprintable: number;
  /** Records that JSON holds otherwise than they are, such as NaN, which becomes null. Not lost. */
  readonly altered: number;
  /** Waiting in memory, those under way included; most of them are on disk too. */
  readonly queued: number;
  /** UTF-8 bytes of them. */
  readonly queuedBytes: number;
  /** Waiting on disk alone. */
  readonly spooled: number;
  /** Bytes of the files that keep waiting records. */
  readonly spoolBytes: number;
  /** Tries to send a batch, or to read one back from disk, that failed; since the beginning. */
  readonly failedAttempts: number;
  /** What the last failure of them was; undefined before there was one. */
  readonly lastError: string | undefined;
}
