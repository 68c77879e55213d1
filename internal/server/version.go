package server

// Version of the program, set when it is built.
var Version = "development"
