/** A matrix as coloured cells, for the mouse, the keyboard and readers of the screen. */

import { fill, h, svg } from "./dom";
import { inkOn, isDark, onTheme, ramp } from "./scale";

/** Above so many rows or columns, neighbours share a cell. */
const MOST_CELLS = 48;
const WIDTH = 420;
/** Of a name in the font of labels. */
const CHARACTER = 6.2;
const LONGEST_LABEL = 10;
const SMALLEST_LABELLED = 11;
const LARGEST_CELL = 30;
/** From this size on, a cell has room for its number. */
const SMALLEST_NUMBERED = 18;
const GAP = 1;

/** Each colour is for values this much larger than those of the colour before: demands span decades. */
const STEP = 4;

export interface Matrix {
  rows: string[];
  columns: string[];
  /** The value of each cell, row by row; 0 or more. */
  values: number[][];
}

interface Options {
  /** What the matrix is, for readers of the screen. */
  label: string;
  /** A value with its unit. */
  text: (value: number) => string;
  /** Whether colours are for equal steps of small whole numbers, which are written in the cells. */
  counts?: boolean;
  /** More about a row, behind the value. */
  detail?: (row: string) => string;
  /** Called when an operator chooses a cell. */
  choose?: (row: string, column: string) => void;
}

export class HeatMap {
  readonly element: HTMLElement;
  private readonly drawing = h("div", { class: "cells" });
  private readonly readout = h("p", { class: "readout", attrs: { "aria-live": "polite" } });
  private readonly scale = h("div", { class: "scale" });
  private whole: Matrix = { rows: [], columns: [], values: [] };
  /** What is drawn of it. */
  private matrix: Matrix = this.whole;
  private shown = "";
  private place = { left: 0, top: 0, size: 0 };
  private at: [number, number] = [0, 0];
  private cursor?: SVGElement;

  constructor(private readonly options: Options) {
    this.drawing.tabIndex = 0;
    this.drawing.setAttribute("role", "application");
    this.drawing.addEventListener("keydown", (event) => this.key(event));
    this.drawing.addEventListener("focus", () => this.point(...this.at));
    this.drawing.addEventListener("pointermove", (event) => this.pointed(event));
    this.drawing.addEventListener("click", (event) => {
      if (this.pointed(event)) {
        this.chosen();
      }
    });
    onTheme(() => this.show(this.whole));
    this.element = h("div", { class: "heat" }, this.drawing, this.readout, this.scale);
  }

  /** Draws a matrix, unless it is the one that is drawn. */
  show(matrix: Matrix): void {
    this.whole = matrix;
    const folded = fold(matrix);
    const key = JSON.stringify([folded, isDark()]);
    if (key === this.shown) {
      return;
    }
    this.shown = key;
    this.matrix = folded;
    this.at = [
      Math.min(this.at[0], Math.max(0, folded.rows.length - 1)),
      Math.min(this.at[1], Math.max(0, folded.columns.length - 1)),
    ];
    this.drawing.setAttribute(
      "aria-label",
      `${this.options.label}: ${folded.rows.length} rows, ${folded.columns.length} columns. Arrow keys move over the cells${this.options.choose ? ", Enter chooses one" : ""}.`,
    );
    this.draw();
    this.drawScale();
    if (document.activeElement === this.drawing) {
      this.point(...this.at);
    } else {
      fill(this.readout, "Point at a cell, or move over the cells with the arrow keys.");
    }
  }

  private draw(): void {
    const { rows, columns, values } = this.matrix;
    const margin = labelWidth(rows);
    const size = Math.min(
      LARGEST_CELL,
      Math.max(4, Math.floor((WIDTH - margin) / Math.max(columns.length, 1))),
    );
    const labelled = size >= SMALLEST_LABELLED;
    const left = labelled ? margin : 0;
    const top = labelled ? labelWidth(columns) : 0;
    this.place = { left, top, size };
    const most = this.most();
    const width = left + size * columns.length;
    const height = top + size * rows.length;
    const parts: SVGElement[] = [];
    if (labelled) {
      rows.forEach((row, i) =>
        parts.push(text(row, { x: left - 5, y: top + size * (i + 0.5), "text-anchor": "end" })),
      );
      columns.forEach((column, i) => {
        const x = left + size * (i + 0.5);
        parts.push(text(column, { x, y: top - 5, transform: `rotate(-90 ${x} ${top - 5})` }));
      });
    }
    rows.forEach((row, i) =>
      columns.forEach((column, j) => {
        const value = values[i][j];
        const [x, y] = [left + size * j, top + size * i];
        parts.push(
          svg("rect", {
            x,
            y,
            width: size - GAP,
            height: size - GAP,
            class: value > 0 ? "" : "empty",
            "data-row": row,
            "data-column": column,
            ...(value > 0 ? { fill: this.colour(value, most) } : {}),
          }),
        );
        if (this.options.counts && size >= SMALLEST_NUMBERED) {
          parts.push(
            text(String(value), {
              x: x + (size - GAP) / 2,
              y: y + (size - GAP) / 2,
              "text-anchor": "middle",
              class: "number",
              fill: value > 0 ? inkOn(this.colour(value, most)) : "currentcolor",
            }),
          );
        }
      }),
    );
    this.cursor = svg("rect", { class: "cursor", width: size, height: size, visibility: "hidden" });
    fill(
      this.drawing,
      svg(
        "svg",
        { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
        ...parts,
        this.cursor,
      ),
    );
  }

  private most(): number {
    return Math.max(0, ...this.matrix.values.map((row) => Math.max(0, ...row)));
  }

  /** The number of a value's colour, from 0. */
  private step(value: number, most: number): number {
    const last = ramp().length - 1;
    if (this.options.counts) {
      return Math.min(last, Math.ceil((value / most) * (last + 1)) - 1);
    }
    const below = Math.floor(Math.log(most / value) / Math.log(STEP));
    return Math.max(0, last - below);
  }

  private colour(value: number, most: number): string {
    return ramp()[this.step(value, most)];
  }

  private drawScale(): void {
    const most = this.most();
    const last = ramp().length - 1;
    this.scale.hidden = most === 0 || this.options.counts === true;
    fill(
      this.scale,
      h(
        "span",
        { class: "steps wide" },
        ...ramp().map((colour, i) => {
          const least = most / STEP ** (last - i + 1);
          const box = h(
            "span",
            { class: "step" },
            i === 0 ? "less" : this.options.text(Number(least.toPrecision(2))),
          );
          box.style.borderTopColor = colour;
          return box;
        }),
      ),
    );
  }

  private pointed(event: MouseEvent): boolean {
    const cell = event.target as SVGElement;
    const row = this.matrix.rows.indexOf(cell.dataset?.row ?? "");
    const column = this.matrix.columns.indexOf(cell.dataset?.column ?? "");
    if (row >= 0 && column >= 0) {
      this.point(row, column);
    }
    return row >= 0 && column >= 0;
  }

  private point(row: number, column: number): void {
    const { rows, columns, values } = this.matrix;
    if (rows.length === 0 || columns.length === 0) {
      return;
    }
    this.at = [row, column];
    const { left, top, size } = this.place;
    this.cursor?.setAttribute("x", String(left + size * column - 0.5));
    this.cursor?.setAttribute("y", String(top + size * row - 0.5));
    this.cursor?.setAttribute("visibility", "visible");
    const detail = this.options.detail?.(rows[row]);
    fill(
      this.readout,
      h("b", {}, `${rows[row]} → ${columns[column]}`),
      `: ${this.options.text(values[row][column])}`,
      detail && h("span", { class: "detail" }, ` (${detail})`),
    );
  }

  private key(event: KeyboardEvent): void {
    const moves: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const move = moves[event.key];
    if (move) {
      this.point(
        clamp(this.at[0] + move[0], this.matrix.rows.length),
        clamp(this.at[1] + move[1], this.matrix.columns.length),
      );
    } else if (event.key === "Enter") {
      this.chosen();
    } else {
      return;
    }
    event.preventDefault();
  }

  private chosen(): void {
    const [row, column] = [this.matrix.rows[this.at[0]], this.matrix.columns[this.at[1]]];
    if (row !== undefined && column !== undefined) {
      this.options.choose?.(row, column);
    }
  }
}

const clamp = (at: number, length: number) => Math.max(0, Math.min(length - 1, at));

const labelWidth = (names: string[]) =>
  10 + CHARACTER * Math.min(LONGEST_LABEL, Math.max(0, ...names.map((name) => name.length)));

function text(content: string, attrs: Record<string, string | number>): SVGElement {
  const shortened =
    content.length > LONGEST_LABEL ? `${content.slice(0, LONGEST_LABEL - 1)}…` : content;
  return svg("text", { "dominant-baseline": "central", ...attrs }, shortened);
}

/** Joins neighbours until all of them have a cell that can be seen; a joined cell has the sum. */
function fold(matrix: Matrix): Matrix {
  const rows = parts(matrix.rows);
  const columns = parts(matrix.columns);
  return {
    rows: rows.map(({ name }) => name),
    columns: columns.map(({ name }) => name),
    values: rows.map((row) =>
      columns.map((column) => {
        let sum = 0;
        for (let i = row.from; i < row.until; i++) {
          for (let j = column.from; j < column.until; j++) {
            sum += matrix.values[i][j];
          }
        }
        return sum;
      }),
    ),
  };
}

function parts(names: string[]): { name: string; from: number; until: number }[] {
  const each = Math.ceil(names.length / MOST_CELLS);
  const all: { name: string; from: number; until: number }[] = [];
  for (let from = 0; from < names.length; from += each) {
    const until = Math.min(from + each, names.length);
    const name = each === 1 ? names[from] : `${names[from]} … ${names[until - 1]}`;
    all.push({ name, from, until });
  }
  return all;
}
