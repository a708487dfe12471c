# The installed package is completed by the packaging work; headers and libraries install already.
