/**
 * Moves and zooms a drawing. While it moves, the browser moves the picture that is there, which
 * costs the same whatever the picture shows; the drawing is made anew when the movement pauses.
 */

import type cytoscape from "cytoscape";

/** Without movement for so long, the drawing is made anew. */
const PAUSE_MS = 120;
/** Also during a movement, when so much of the picture has left the view. */
const MOST_MOVED = 0.4;
const MOST_ZOOMED = 2;
/** A pointer that moves less than this taps. */
const TAP_PIXELS = 4;
/** Of a mouse wheel's notch, which browsers report as some 100 pixels. */
const WHEEL_ZOOM = 1.0015;

interface Point {
  x: number;
  y: number;
}

export class Viewport {
  private readonly layer: HTMLElement;
  private pan: Point;
  private zoom: number;
  private isMoved = false;
  private timer = 0;
  private readonly pointers = new Map<number, Point>();
  private isDragged = false;

  constructor(
    private readonly cy: cytoscape.Core,
    private readonly container: HTMLElement,
  ) {
    this.layer = container.firstElementChild as HTMLElement;
    this.layer.style.transformOrigin = "0 0";
    this.pan = { ...cy.pan() };
    this.zoom = cy.zoom();
    container.addEventListener("pointerdown", (event) => this.down(event));
    container.addEventListener("pointermove", (event) => this.moved(event));
    for (const end of ["pointerup", "pointercancel"] as const) {
      container.addEventListener(end, (event) => this.up(event));
    }
    container.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoomAt(WHEEL_ZOOM ** -event.deltaY, this.inContainer(event));
      },
      { passive: false },
    );
  }

  panBy(x: number, y: number): void {
    this.begin();
    this.pan = { x: this.pan.x + x, y: this.pan.y + y };
    this.move();
  }

  /** Zooms about a point of the view, which stays where it is; by default its middle. */
  zoomAt(
    factor: number,
    at: Point = { x: this.container.clientWidth / 2, y: this.container.clientHeight / 2 },
  ): void {
    this.begin();
    const zoom = Math.max(this.cy.minZoom(), Math.min(this.cy.maxZoom(), this.zoom * factor));
    const scale = zoom / this.zoom;
    this.pan = { x: at.x - scale * (at.x - this.pan.x), y: at.y - scale * (at.y - this.pan.y) };
    this.zoom = zoom;
    this.move();
  }

  /** Ends a movement at once: the drawing is where it seems to be. */
  settle(): void {
    clearTimeout(this.timer);
    if (this.isMoved) {
      this.isMoved = false;
      this.cy.viewport({ zoom: this.zoom, pan: this.pan });
      // In the frame in which it is drawn there.
      this.cy.one("render", () => {
        if (!this.isMoved) {
          this.layer.style.transform = "";
          this.layer.classList.remove("moving");
        }
      });
    }
  }

  private begin(): void {
    if (!this.isMoved) {
      this.pan = { ...this.cy.pan() };
      this.zoom = this.cy.zoom();
      this.isMoved = true;
      this.layer.classList.add("moving");
    }
  }

  private move(): void {
    const drawn = this.cy.pan();
    const scale = this.zoom / this.cy.zoom();
    const x = this.pan.x - scale * drawn.x;
    const y = this.pan.y - scale * drawn.y;
    this.layer.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    clearTimeout(this.timer);
    if (
      Math.abs(this.pan.x - drawn.x) > MOST_MOVED * this.container.clientWidth ||
      Math.abs(this.pan.y - drawn.y) > MOST_MOVED * this.container.clientHeight ||
      scale > MOST_ZOOMED ||
      scale < 1 / MOST_ZOOMED
    ) {
      this.settle();
    } else {
      this.timer = window.setTimeout(() => this.settle(), PAUSE_MS);
    }
  }

  private inContainer(event: MouseEvent): Point {
    const box = this.container.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private down(event: PointerEvent): void {
    if (event.button === 0) {
      this.pointers.set(event.pointerId, this.inContainer(event));
      this.isDragged = this.pointers.size > 1;
    }
  }

  /** With one pointer it pans; two pinch: their middle pans, their distance zooms. */
  private moved(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      return;
    }
    const now = this.inContainer(event);
    if (!this.isDragged && distance(before, now) < TAP_PIXELS) {
      return;
    }
    if (!this.isDragged) {
      this.isDragged = true;
      this.container.setPointerCapture(event.pointerId);
    }
    this.pointers.set(event.pointerId, now);
    const others = [...this.pointers.entries()].filter(([id]) => id !== event.pointerId);
    if (others.length === 0) {
      this.panBy(now.x - before.x, now.y - before.y);
    } else {
      const other = others[0][1];
      this.panBy((now.x - before.x) / 2, (now.y - before.y) / 2);
      this.zoomAt(distance(now, other) / Math.max(1, distance(before, other)), {
        x: (now.x + other.x) / 2,
        y: (now.y + other.y) / 2,
      });
    }
  }

  private up(event: PointerEvent): void {
    if (this.pointers.delete(event.pointerId) && this.pointers.size === 0 && this.isDragged) {
      this.isDragged = false;
      this.settle();
    }
  }
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
