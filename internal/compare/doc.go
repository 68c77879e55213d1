// Package compare holds two sides of runs against each other: the dimension
// table, a refusal or the caps, then for each outcome its effect, interval,
// finding and verdict. Pure functions of two sides and a declaration: equal
// input gives equal digits, which is what makes a saved comparison checkable.
package compare
