//===- Report/Charts.cpp - Charts as inline SVG ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws charts as inline SVG. The drawings are small (420 units wide) and scale
// with the page: text of 12 units stays readable on a phone and is not huge on
// a desk.
//
// 1. text, line, open and marker write one element each. tickStep and
//    shortNumber choose the marks of an axis and how they are written.
// 2. escapeHTML replaces the characters that mean something in HTML.
// 3. CurveChart::draw draws the grid, the bins' names (turned if they are
//    many), then the curves with their markers, the last series first.
// 4. BarChart::draw scales the bars to the largest value, and draws the ticks,
//    the legend and the rows.
// 5. HeatMap::draw draws group by group. drawRow makes a cell's strength from
//    the logarithm of its value; few columns of figures show their text, too.
//    drawNames names the columns below the last group.
//
//===----------------------------------------------------------------------===//

#include "Charts.h"
#include "Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace graupel;

namespace {

constexpr double ChartWidth = 420;

std::string number(double Value) { return formatv("{0:F1}", Value).str(); }

void text(raw_ostream &OS, double X, double Y, StringRef Anchor,
          StringRef Content, StringRef More = "") {
  OS << "<text x=\"" << number(X) << "\" y=\"" << number(Y)
     << "\" text-anchor=\"" << Anchor << "\"" << More << '>'
     << escapeHTML(Content) << "</text>\n";
}

void line(raw_ostream &OS, StringRef Class, double X1, double Y1, double X2,
          double Y2) {
  OS << "<line class=\"" << Class << "\" x1=\"" << number(X1) << "\" y1=\""
     << number(Y1) << "\" x2=\"" << number(X2) << "\" y2=\"" << number(Y2)
     << "\"/>\n";
}

void open(raw_ostream &OS, StringRef Title, double Height,
          double Width = ChartWidth) {
  OS << "<svg viewBox=\"0 0 " << number(Width) << ' ' << number(Height)
     << "\" role=\"img\" aria-label=\"" << escapeHTML(Title) << "\">\n";
}

/// Color is not the only difference: the second series has squares.
void marker(raw_ostream &OS, unsigned Series, double X, double Y,
            StringRef Tip) {
  const std::string Inside = "><title>" + escapeHTML(Tip) + "</title></";
  if (Series == 0)
    OS << "<circle class=\"fill0\" cx=\"" << number(X) << "\" cy=\""
       << number(Y) << "\" r=\"4\"" << Inside << "circle>\n";
  else
    OS << "<rect class=\"fill1\" x=\"" << number(X - 3.5) << "\" y=\""
       << number(Y - 3.5) << "\" width=\"7\" height=\"7\"" << Inside
       << "rect>\n";
}

/// A number of \p Step and its like: 1200 -> "1.2 k"; 0.04 -> "0.04".
std::string shortNumber(double Value, double Step) {
  static const char *const Suffixes[] = {"", " k", " M", " G", " T", " P"};
  size_t I = 0;
  for (; Value >= 1000 && I + 1 < std::size(Suffixes); ++I)
    Value /= 1000;
  const char *Form = Step >= 0.1    ? "{0:F1}"
                     : Step >= 0.01 ? "{0:F2}"
                                    : "{0:F3}";
  std::string Digits = formatv(Form, Value).str();
  StringRef Short = Digits;
  Short = Short.rtrim('0');
  Short.consume_back(".");
  return Short.str() + Suffixes[I];
}

/// A step of 1, 2 or 5 times a power of ten that divides up to \p Max into at
/// most four.
double tickStep(double Max) {
  double Step = std::pow(10, std::floor(std::log10(Max)) - 1);
  for (unsigned I = 0; Max / Step > 4; ++I)
    Step *= I % 3 == 1 ? 2.5 : 2;
  return Step;
}

} // namespace

std::string graupel::escapeHTML(StringRef Text) {
  std::string Result;
  for (char C : Text)
    switch (C) {
    case '&':
      Result += "&amp;";
      break;
    case '<':
      Result += "&lt;";
      break;
    case '>':
      Result += "&gt;";
      break;
    case '"':
      Result += "&quot;";
      break;
    default:
      Result += C;
    }
  return Result;
}

void CurveChart::draw(raw_ostream &OS) const {
  constexpr double Left = 48, Right = ChartWidth - 12, Top = 34, Bottom = 214;
  auto x = [&](size_t Bin) {
    return Left + (Right - Left) * (Bin + 0.5) / Bins.size();
  };
  auto y = [&](double Percent) {
    return Bottom - (Bottom - Top) * Percent / 100;
  };
  // Many bins have their names turned, which takes more room.
  const bool Steep = Bins.size() > 7;
  size_t Longest = 0;
  for (const std::string &Bin : Bins)
    Longest = std::max(Longest, Bin.size());
  const double Height = Bottom + (Steep ? 42 + 5 * Longest : 42);
  open(OS, Title, Height);
  for (int Percent = 0; Percent <= 100; Percent += 25) {
    line(OS, Percent ? "grid" : "axis", Left, y(Percent), Right, y(Percent));
    text(OS, Left - 6, y(Percent) + 4, "end", std::to_string(Percent));
  }
  for (size_t I = 0; I < Bins.size(); ++I) {
    line(OS, "axis", x(I), Bottom, x(I), Bottom + 4);
    const std::string Turn = Steep ? " transform=\"rotate(-45 " +
                                         number(x(I) + 4) + " " +
                                         number(Bottom + 16) + ")\""
                                   : "";
    text(OS, x(I) + (Steep ? 4 : 0), Bottom + 16, Steep ? "end" : "middle",
         Bins[I], Turn);
  }
  text(OS, (Left + Right) / 2, Height - 6, "middle", XTitle);
  text(OS, 13, (Top + Bottom) / 2, "middle", YTitle,
       " transform=\"rotate(-90 13 " + number((Top + Bottom) / 2) + ")\"");
  for (unsigned S = Curves.size(); S-- > 0;) {
    const Series &Curve = Curves[S];
    OS << "<polyline class=\"line" << S << "\" points=\"";
    for (size_t I = 0; I < Bins.size(); ++I)
      OS << number(x(I)) << ',' << number(y(Curve.Percent[I])) << ' ';
    OS << "\"/>\n";
    for (size_t I = 0; I < Bins.size(); ++I)
      marker(
          OS, S, x(I), y(Curve.Percent[I]),
          formatv("{0}, {1}: {2:F1} %", Curve.Name, Bins[I], Curve.Percent[I])
              .str());
    if (Curves.size() > 1) {
      marker(OS, S, Left + 8 + 170 * S, 14, Curve.Name);
      text(OS, Left + 18 + 170 * S, 18, "start", Curve.Name);
    }
  }
  OS << "</svg>\n";
}

void BarChart::draw(raw_ostream &OS) const {
  const double Left = LabelWidth + 8, Right = ChartWidth - 76;
  const unsigned PerRow = std::max<size_t>(Series.size(), 1);
  const double BarHeight = PerRow > 1 ? 13 : 16;
  const double RowHeight = PerRow * (BarHeight + 2) + 10;
  const double Top = PerRow > 1 ? 32 : 8;
  const double Bottom = Top + RowHeight * Rows.size();
  double Max = 0;
  for (const Row &R : Rows)
    Max = std::max(Max, *llvm::max_element(R.Values));
  if (!(Max > 0))
    Max = 1;
  const double Scale = (Right - Left) / Max;

  open(OS, Title, Bottom + 42);
  const double Step = tickStep(Max);
  for (double Tick = 0; Tick <= Max * 1.001; Tick += Step) {
    line(OS, Tick > 0 ? "grid" : "axis", Left + Tick * Scale, Top,
         Left + Tick * Scale, Bottom);
    text(OS, Left + Tick * Scale, Bottom + 15, "middle",
         shortNumber(Tick, Step));
  }
  text(OS, (Left + Right) / 2, Bottom + 34, "middle", XTitle);
  for (unsigned S = 0; S < Series.size(); ++S) {
    OS << "<rect class=\"fill" << S << "\" x=\"" << number(Left + 100 * S)
       << "\" y=\"8\" width=\"12\" height=\"12\"/>\n";
    text(OS, Left + 18 + 100 * S, 18, "start", Series[S]);
  }
  for (size_t I = 0; I < Rows.size(); ++I) {
    const Row &R = Rows[I];
    const double Y = Top + RowHeight * I + 5;
    text(OS, Left - 8, Y + (RowHeight - 10) / 2 + 4, "end", R.Label);
    for (unsigned S = 0; S < PerRow; ++S) {
      const double BarY = Y + S * (BarHeight + 2);
      OS << "<rect class=\"fill" << S << "\" x=\"" << number(Left) << "\" y=\""
         << number(BarY) << "\" width=\""
         << number(std::max(R.Values[S] * Scale, R.Values[S] > 0 ? 1.0 : 0.0))
         << "\" height=\"" << number(BarHeight) << "\"/>\n";
      text(OS, Left + R.Values[S] * Scale + 5, BarY + BarHeight - 2.5, "start",
           R.Texts[S], " class=\"value\"");
    }
  }
  OS << "</svg>\n";
}

std::string HeatMap::textOf(uint64_t Cell) const {
  if (!Figures)
    return grouped(Cell);
  const double Value = double(Cell) / 1000;
  if (Value >= 1000)
    return grouped(uint64_t(Value + 0.5));
  return formatv(Value >= 100  ? "{0:F0}"
                 : Value >= 10 ? "{0:F1}"
                               : "{0:F2}",
                 Value)
      .str();
}

/// Columns that have room for their figures.
static constexpr size_t FewColumns = 8;

HeatMap::Extent HeatMap::extentOf(const Group &Shown) {
  Extent Values;
  for (const auto &Row : Shown.Rows)
    for (uint64_t Value : Row)
      if (Value) {
        Values.Most = std::max(Values.Most, Value);
        Values.Least = std::min(Values.Least, Value);
      }
  return Values;
}

void HeatMap::drawRow(const Group &Shown, Extent Values, size_t R, double Left,
                      double Y, double Height, raw_ostream &OS) const {
  const auto &Row = Shown.Rows[R];
  const double Right = Width - 4, CellWidth = (Right - Left) / Row.size();
  const bool WithText = Figures && Row.size() <= FewColumns;
  // Text on a cell stays readable.
  const double Palest = Figures ? 0.06 : 0.15, Fullest = WithText ? 0.45 : 1;
  const double First = Figures ? std::log2(double(Values.Least)) : 0;
  const double Range =
      std::log2(double(std::max<uint64_t>(Values.Most, 1))) - First;
  text(OS, Left - 5, Y + Height / 2 + 4, "end", RowLabels[R]);
  // All cells without a count are one rectangle, to keep pages small.
  OS << "<rect class=\"none\" x=\"" << number(Left) << "\" y=\"" << number(Y)
     << "\" width=\"" << number(Right - Left) << "\" height=\""
     << number(Height - 1) << "\"/>\n"
     << "<g class=\"heat fill" << Shown.Series << "\">\n";
  for (size_t C = 0; C < Row.size(); ++C) {
    if (!Row[C])
      continue;
    double Share = (std::log2(double(Row[C])) - First) /
                   (Figures ? std::max(Range, 1e-9) : std::max(1.0, Range));
    double Strength = Palest + (Fullest - Palest) * Share;
    if (!Figures && Values.Most == 1)
      Strength = 1;
    OS << "<rect fill-opacity=\"" << formatv("{0:F2}", std::min(Strength, 1.0))
       << "\" x=\"" << formatv("{0:F2}", Left + CellWidth * C) << "\" y=\""
       << number(Y) << "\" width=\"" << formatv("{0:F2}", CellWidth)
       << "\" height=\"" << number(Height - 1) << "\"><title>"
       << escapeHTML(RowLabels[R] + ", " + ColumnNames[C] + ": " +
                     textOf(Row[C]))
       << "</title></rect>\n";
  }
  OS << "</g>\n";
  for (size_t C = 0; WithText && C < Row.size(); ++C)
    if (Row[C])
      text(OS, Left + CellWidth * (C + 0.5), Y + Height / 2 + 4, "middle",
           textOf(Row[C]), " class=\"value\" pointer-events=\"none\"");
}

/// Names longer than this are wider than their columns, and turned.
static constexpr size_t ShortName = 4;

void HeatMap::drawNames(double Left, double Y, raw_ostream &OS) const {
  const double CellWidth = (Width - 4 - Left) / ColumnNames.size();
  bool Turned = false;
  for (const std::string &Name : ColumnNames)
    Turned |= Name.size() > ShortName;
  for (size_t C = 0; C < ColumnNames.size(); ++C) {
    if (!Turned) {
      text(OS, Left + CellWidth * (C + 0.5), Y + 12, "middle", ColumnNames[C]);
      continue;
    }
    const double X = Left + CellWidth * (C + 0.5) + 4;
    text(OS, X, Y + 12, "end", ColumnNames[C],
         " transform=\"rotate(-45 " + number(X) + " " + number(Y + 12) + ")\"");
  }
}

void HeatMap::draw(raw_ostream &OS) const {
  size_t LongestLabel = 0, LongestName = 0;
  for (const std::string &Label : RowLabels)
    LongestLabel = std::max(LongestLabel, Label.size());
  for (const std::string &Name : ColumnNames)
    LongestName = std::max(LongestName, Name.size());
  // Names of the first columns go to the left of them.
  const bool Turned = NamedColumns && LongestName > ShortName;
  const double Left = std::max(10 + 7.0 * double(LongestLabel),
                               Turned ? 4.5 * double(LongestName) - 10 : 0.0);
  const double CellHeight = !Figures && RowLabels.size() > 8 ? 10 : 16;
  const double GroupHeight = 22 + CellHeight * RowLabels.size() + 8;
  const double NamesHeight = Turned         ? 14 + 4.8 * double(LongestName)
                             : NamedColumns ? 18
                                            : 0;
  const double Height = GroupHeight * Groups.size() + NamesHeight + 18;
  open(OS, Title, Height, Width);
  for (size_t G = 0; G < Groups.size(); ++G) {
    const Group &Shown = Groups[G];
    const Extent Values = extentOf(Shown);
    double Y = GroupHeight * G + 16;
    text(OS, Left, Y, "start",
         Shown.Name +
             (Values.Most ? ", up to " + textOf(Values.Most) : ": none"));
    Y += 6;
    for (size_t R = 0; R < Shown.Rows.size(); ++R, Y += CellHeight)
      drawRow(Shown, Values, R, Left, Y, CellHeight, OS);
    if (NamedColumns && G + 1 == Groups.size())
      drawNames(Left, Y, OS);
  }
  text(OS, (Left + Width - 4) / 2, Height - 4, "middle", XTitle);
  OS << "</svg>\n";
}
