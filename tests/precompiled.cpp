// SPDX-License-Identifier: MIT
// Nothing: it is compiled for the sake of the headers precompiled with it.
