/** Reads something again and again while it is seen. */

export class WhileSeen {
  private seen = false;
  private running = false;

  /**
   * @param element what shows it
   * @param periodMs between the end of a reading and the next one
   * @param read handles its own errors
   */
  constructor(
    element: Element,
    private readonly periodMs: number,
    private readonly read: () => Promise<void>,
  ) {
    new IntersectionObserver((entries) => {
      this.seen = entries.at(-1)!.isIntersecting;
      void this.run();
    }).observe(element);
  }

  private async run(): Promise<void> {
    if (this.running) {
      return;
    }
    this.running = true;
    while (this.seen) {
      await this.read();
      await new Promise((resolve) => setTimeout(resolve, this.periodMs));
    }
    this.running = false;
  }
}
